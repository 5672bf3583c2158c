// Every REST request of the App and every REST answer of the sandbox, by GitHub's OpenAPI description.

import { Newer } from "./newer.mjs";
import { faults, followed, operation } from "./openapi.mjs";

const BASIC_ERROR = { $ref: "#/components/schemas/basic-error" };

/** Where the description is at odds with itself: in this list alone an account is a person and an enterprise at once. */
const CORRECTED = {
  "GET /app/installations 200": { type: "array", items: { $ref: "#/components/schemas/installation" } },
};

/** Keys of a label that GitHub has since this description was published. */
const newer = new Newer([
  ["archived_at", "color"],
  ["archived_by", "color"],
]);

function rest(exchanges) {
  return exchanges.filter(({ path }) => path !== "/graphql");
}

function named({ method, status }, template) {
  return `${method} ${template}${status === undefined ? "" : ` ${status}`}`;
}

/** Checks method, path, query and body of what the App asks. Keys that GitHub does not know are refused. */
export function checkRequests(exchanges, complain) {
  let checked = 0;
  for (const { method, path, query, body } of rest(exchanges).filter((one) => one.by_app)) {
    const known = operation(method.toLowerCase(), path);
    if (!known) {
      complain(`${method} ${path}`, "the App asks for what is no operation of GitHub's");
      continue;
    }
    checked += 1;
    const where = `request ${named({ method }, known.template)}`;
    checkQuery(query, known, (what) => complain(where, what));
    const described = known.requestBody && followed(known.requestBody);
    if (body === null) {
      if (described?.required) complain(where, "the body is missing");
    } else if (!described) complain(where, "GitHub describes no body");
    else {
      const { schema } = described.content["application/json"];
      faults(schema, body, true).forEach((fault) => complain(where, `body ${fault}`));
    }
  }
  return [["requests of the App by @octokit/openapi", checked]];
}

function checkQuery(query, known, complain) {
  const parameters = (known.parameters ?? []).map(followed).filter((one) => one.in === "query");
  const described = Object.fromEntries(parameters.map((one) => [one.name, one]));
  for (const [name, text] of Object.entries(query)) {
    if (!described[name]) complain(`GitHub knows no query parameter '${name}'`);
    else {
      const { schema } = described[name];
      const value = ["integer", "boolean", "number"].includes(schema.type) ? parsed(text) : text;
      faults(schema, value, true).forEach((fault) => complain(`query parameter '${name}' ${fault}`));
    }
  }
  for (const { name, required } of parameters) {
    if (required && !(name in query)) complain(`the query parameter '${name}' is missing`);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Checks status and body of what the sandbox answers. Keys that GitHub does not describe are refused. */
export function checkAnswers(exchanges, complain) {
  let good = 0;
  let refusals = 0;
  for (const { method, path, status, answer } of rest(exchanges)) {
    const known = operation(method.toLowerCase(), path);
    if (!known) {
      complain(`${method} ${path}`, "the sandbox answers where GitHub has no operation");
      continue;
    }
    const where = `answer ${named({ method, status }, known.template)}`;
    const response = known.responses[status] && followed(known.responses[status]);
    const schema = CORRECTED[where.slice("answer ".length)] ?? response?.content?.["application/json"]?.schema;
    if (status < 300) {
      good += 1;
      if (!response) complain(where, "GitHub does not describe this status");
      else if (!schema) {
        if (answer !== null) complain(where, "GitHub describes no body");
      } else faults(schema, newer.strip(answer), true).forEach((fault) => complain(where, fault));
    } else if (status !== 304) {
      refusals += 1;
      faults(schema ?? BASIC_ERROR, answer, false).forEach((fault) => complain(where, fault));
    }
  }
  newer.unmet().forEach((one) => complain("what is newer than @octokit/openapi", one));
  return [
    ["answers of the sandbox by @octokit/openapi", good],
    ["refusals of the sandbox by @octokit/openapi", refusals],
  ];
}
