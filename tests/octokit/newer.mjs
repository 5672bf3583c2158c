// What GitHub sends since a description was published: taken out before the description judges the rest.

/**
 * Keys that are younger than a description, each with a key that tells which kind of object it stands in.
 * `strip` copies a value without them; `unmet` names those that were never met, and so are to be taken off the list.
 */
export class Newer {
  constructor(rules) {
    this.rules = rules.map(([key, beside]) => ({ key, beside, met: false }));
  }

  strip(value) {
    if (Array.isArray(value)) return value.map((one) => this.strip(one));
    if (value === null || typeof value !== "object") return value;
    const kept = Object.entries(value).filter(([key]) => {
      const rule = this.rules.find((one) => one.key === key && one.beside in value);
      if (rule) rule.met = true;
      return !rule;
    });
    return Object.fromEntries(kept.map(([key, one]) => [key, this.strip(one)]));
  }

  unmet() {
    return this.rules.filter((one) => !one.met).map((one) => `'${one.key}' beside '${one.beside}' was never met`);
  }
}
