// Judges a recording of the App and the sandbox by GitHub's own descriptions: `node check.mjs recording.json`.
// Prints what was checked and every violation; exits with 1 where there is any.

import { readFileSync } from "node:fs";
import { checkAnswers, checkRequests } from "./exchanges.mjs";
import { checkGraphQL } from "./graphql.mjs";
import { checkWebhooks } from "./webhooks.mjs";

const recording = JSON.parse(readFileSync(process.argv[2], "utf8"));
const violations = new Map();

/** Notes a violation; the same one is printed once, with how often it was met. */
function complain(where, what) {
  const line = `${where}: ${what}`;
  violations.set(line, (violations.get(line) ?? 0) + 1);
}

const counts = [
  ...checkRequests(recording.exchanges, complain),
  ...checkAnswers(recording.exchanges, complain),
  ...checkWebhooks(recording.webhooks, complain),
  ...checkGraphQL(recording, complain),
];
for (const [what, count] of counts) {
  console.log(`${String(count).padStart(5)}  ${what}`);
  if (count === 0) complain("the recording", `no ${what}: nothing was shown`);
}
for (const [line, times] of violations) console.log(`VIOLATION ${line}${times > 1 ? ` (${times} times)` : ""}`);
console.log(violations.size === 0 ? "no violation" : `${violations.size} violations`);
process.exit(violations.size === 0 ? 0 : 1);
