// The App's GraphQL queries, the sandbox's answers to them and the sandbox's own schema, by GitHub's public schema.

import { schema } from "@octokit/graphql-schema";
import { buildSchema, execute, extendSchema, findBreakingChanges, parse, validate } from "graphql";

/** What is younger than the published schema; the check fails as soon as the schema has it by itself. */
const NEWER = `
  extend type Issue { issueType: IssueType }
  type IssueType implements Node { id: ID! name: String! description: String isEnabled: Boolean! }
`;

// The published text defines a field of an enterprise twice, which is none of our business: it is not validated.
const published = buildSchema(schema.idl, { assumeValidSDL: true });
const github = extendSchema(published, parse(NEWER));

/** Checks queries, answers and schema; answers are run through GitHub's schema and have to come out as they were. */
export function checkGraphQL({ exchanges, queries, sandbox_schema: own }, complain) {
  for (const document of queries.map((text) => parse(text))) {
    validate(github, document).forEach((error) => complain(`query ${nameOf(document)}`, error.message));
  }
  const answered = exchanges.filter((one) => one.path === "/graphql" && one.by_app && one.answer?.data);
  answered.forEach((one) => checkAnswer(one, complain));
  for (const { type, description } of findBreakingChanges(buildSchema(own), github)) {
    complain("the sandbox's schema", `${description} on GitHub (${type})`);
  }
  return [
    ["GraphQL queries by @octokit/graphql-schema", queries.length],
    ["GraphQL answers by @octokit/graphql-schema", answered.length],
    ["types of the sandbox's GraphQL schema", Object.keys(buildSchema(own).getTypeMap()).length],
  ];
}

function nameOf(document) {
  return document.definitions.find((one) => one.kind === "OperationDefinition").name?.value ?? "a query without a name";
}

function checkAnswer({ body, answer }, complain) {
  const document = parse(body.query);
  const where = `answer to ${nameOf(document)}`;
  const { data, errors = [] } = execute({
    schema: github,
    document,
    rootValue: answer.data,
    variableValues: body.variables,
    fieldResolver: (source, _args, _context, info) => source[info.path.key],
    typeResolver: (value, _context, info) => value.__typename ?? onlyType(info),
  });
  errors.forEach((error) => complain(where, `${error.path?.join("/").replace(/\d+/g, "*")} ${error.message}`));
  if (errors.length === 0 && JSON.stringify(data) !== JSON.stringify(answer.data)) {
    complain(where, "the answer has other keys, or other values, than the query leads to");
  }
}

/** Returns the type of a node whose `__typename` was not asked: the only one its query speaks of, if it is one. */
function onlyType({ fieldNodes, fragments }) {
  const selections = fieldNodes.flatMap((node) => node.selectionSet.selections);
  const speakOf = (one) => (one.kind === "FragmentSpread" ? fragments[one.name.value] : one).typeCondition?.name.value;
  const types = new Set(selections.map(speakOf));
  return types.size === 1 ? [...types][0] : undefined;
}
