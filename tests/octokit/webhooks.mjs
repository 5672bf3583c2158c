// Every webhook of the sandbox, by two descriptions: an old one that knows every key, and a newer, more lenient one.

import { createRequire } from "node:module";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { Newer } from "./newer.mjs";
import { description, faults, told } from "./openapi.mjs";

const schemas = createRequire(import.meta.url)("@octokit/webhooks-schemas/schema.json");
const ajv = new Ajv({ allErrors: true, strict: false, logger: false, code: { optimize: false } });
addFormats(ajv);
ajv.addSchema(schemas, "webhooks");

/** Keys that GitHub sends since those schemas were written, and that the newer description has. */
const newer = new Newer([
  ["archived_at", "color"],
  ["archived_by", "color"],
  ["client_id", "app_slug"],
  ["client_id", "external_url"],
  ["type", "repository_url"],
  ["user_view_type", "login"],
]);

/** Where those schemas are wrong by the newer description: the hook of an App needs no address of its own. */
const OUTDATED = [
  "ping /hook must have required property 'url'",
  "ping /hook must have required property 'ping_url'",
  "repository.transferred /changes/owner/from must not have the key 'organization'",
];

/** Checks each webhook's payload by both packages; every payload has to be that of its own event and action. */
export function checkWebhooks(webhooks, complain) {
  const kinds = new Set();
  const met = new Set();
  for (const { event, action, payload } of webhooks) {
    const kind = action === null ? event : `${event}.${action}`;
    kinds.add(kind);
    const validate = ajv.getSchema(`webhooks#/definitions/${event}$${action ?? "event"}`);
    if (!validate) complain(`webhook ${kind}`, "@octokit/webhooks-schemas knows no such event");
    else if (!validate(newer.strip(payload))) {
      for (const fault of told(validate.errors)) {
        if (OUTDATED.includes(`${kind} ${fault}`)) met.add(`${kind} ${fault}`);
        else complain(`webhook ${kind} by webhooks-schemas`, fault);
      }
    }
    const known = description["x-webhooks"][`${event}${action ? `-${action}` : ""}`.replaceAll("_", "-")];
    if (!known) complain(`webhook ${kind}`, "@octokit/openapi knows no such event");
    else {
      const { schema } = known.post.requestBody.content["application/json"];
      faults(schema, payload, false).forEach((fault) => complain(`webhook ${kind} by openapi`, fault));
    }
  }
  const unmet = OUTDATED.filter((one) => !met.has(one)).map((one) => `'${one}' was never met`);
  unmet.forEach((one) => complain("what is outdated in webhooks-schemas", one));
  newer.unmet().forEach((one) => complain("what is newer than webhooks-schemas", one));
  return [
    ["webhooks of the sandbox by @octokit/webhooks-schemas and @octokit/openapi", webhooks.length],
    ["kinds of webhooks among them", kinds.size],
  ];
}
