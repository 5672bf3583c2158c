// GitHub's OpenAPI description as JSON Schema: finds the operation of a path and compiles what it says of a body.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Ajv2019 from "ajv/dist/2019.js";
import addFormats from "ajv-formats";

const file = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json");
export const description = JSON.parse(readFileSync(file, "utf8"));

const ajv = new Ajv2019({ allErrors: true, strict: false, logger: false, code: { optimize: false } });
addFormats(ajv);
const compiled = new Map();
const MOST_TOLD = 8;

/** Follows a reference to a parameter or a response. */
export function followed(node) {
  return node.$ref ? node.$ref.slice(2).split("/").reduce((at, key) => at[key], description) : node;
}

/**
 * Writes an OpenAPI 3.0 schema as JSON Schema. `nullable` becomes a type; `oneOf` becomes `anyOf`, since GitHub's
 * alternatives overlap. With `closed`, keys that are not described are refused wherever keys are described at all.
 */
function converted(schema, closed) {
  if (Array.isArray(schema)) return schema.map((one) => converted(one, closed));
  if (schema === null || typeof schema !== "object") return schema;
  if (schema.$ref) {
    const name = schema.$ref.replace("#/components/schemas/", "");
    return { $ref: `#/$defs/${closed ? "closed" : "open"}/${name}` };
  }
  const { nullable, properties, items, oneOf, anyOf, allOf, additionalProperties, ...rest } = schema;
  for (const key of ["example", "examples", "description", "discriminator", "xml", "default"]) delete rest[key];
  if (properties) {
    const entries = Object.entries(properties).map(([key, value]) => [key, converted(value, closed)]);
    rest.properties = Object.fromEntries(entries);
  }
  if (items) rest.items = converted(items, closed);
  const either = [...(anyOf ?? []), ...(oneOf ?? [])];
  const besides = Boolean(properties);
  if (either.length) rest.anyOf = converted(either, closed && !besides);
  if (allOf) rest.allOf = converted(allOf, false);
  if (additionalProperties !== undefined) rest.additionalProperties = converted(additionalProperties, closed);
  else if (closed && (properties || allOf)) rest.unevaluatedProperties = false;
  return nullable ? { anyOf: [rest, { type: "null" }] } : rest;
}

const definitions = { open: {}, closed: {} };
for (const [name, schema] of Object.entries(description.components.schemas)) {
  definitions.open[name] = converted(schema, false);
  definitions.closed[name] = converted(schema, true);
}
ajv.addSchema({ $id: "github", $defs: definitions });

/** Returns what is wrong with a value by one of GitHub's schemas, each fault once. */
export function faults(schema, value, closed) {
  const key = (closed ? "closed " : "open ") + JSON.stringify(schema);
  if (!compiled.has(key)) {
    const own = JSON.stringify(converted(schema, closed)).replaceAll('"#/$defs/', '"github#/$defs/');
    compiled.set(key, ajv.compile(JSON.parse(own)));
  }
  const validate = compiled.get(key);
  return validate(value) ? [] : told(validate.errors);
}

/** Writes ajv's errors as short lines; list positions are left out, so that the same fault is told once. */
export function told(errors) {
  const lines = errors
    .filter((error) => !["anyOf", "oneOf", "if"].includes(error.keyword))
    .map((error) => {
      const key = error.params.unevaluatedProperty ?? error.params.additionalProperty;
      const where = error.instancePath.replace(/\/\d+(?=\/|$)/g, "/*") || "/";
      return `${where} ${key === undefined ? error.message : `must not have the key '${key}'`}`;
    });
  const once = [...new Set(lines)];
  // Where no alternative fits, each of them complains.
  return once.length <= MOST_TOLD ? once : [...once.slice(0, MOST_TOLD), `and ${once.length - MOST_TOLD} more`];
}

const templates = Object.keys(description.paths).map((template) => {
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(path|ref)\}/g, "(.+)");
  const literals = template.split("/").filter((part) => !part.startsWith("{")).length;
  return { template, literals, pattern: new RegExp(`^${pattern.replace(/\{[^}]+\}/g, "([^/]+)")}$`) };
});
templates.sort((one, other) => other.literals - one.literals);

/** Returns GitHub's operation for a method and a path, with the path's template; undefined where there is none. */
export function operation(method, path) {
  // A repository by its number is how GitHub redirects from an old name; its endpoints are those of the name.
  const named = path.replace(/^\/repositories\/\d+/, "/repos/by/number");
  const found = templates.find(({ pattern, template }) => pattern.test(named) && description.paths[template][method]);
  return found && { template: found.template, ...description.paths[found.template][method] };
}
