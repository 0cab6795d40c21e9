// Bugs in the contract: what it leaves out, says wrongly, or says twice.
import type { Bug } from './planted.bug.ts'

const contract = 'guards/contract/contract.test.ts'
const complete = 'every operation, parameter, field and event is described, with refusals and examples, and no parameter is there twice'

export const contractBugs: readonly Bug[] = [
  {
    name: 'field-not-described',
    about: 'a field of a resource has no description',
    file: 'accounts/accounts.schemas.ts',
    find: "client_id: described(Id, 'The client who holds the account.'),",
    replace: 'client_id: Id,',
    caughtBy: [{ file: contract, name: complete }],
  },
  {
    name: 'parameter-twice',
    about: 'a filter that the path sets already is documented as a parameter of the query, too',
    file: 'platform/docs/openapi.ts',
    find: "parameter.in !== 'query' || !inPath.includes(parameter.name)",
    replace: "parameter.in !== 'query' || inPath.length >= 0",
    caughtBy: [{ file: contract, name: complete }],
  },
  {
    name: 'refusal-not-listed',
    about: 'the contract does not say that an operation refuses with a code',
    file: 'contract.operations.ts',
    find: "refusals: ['client_not_found', 'onboarding_exists'],",
    replace: "refusals: ['client_not_found'],",
    caughtBy: [
      { file: 'onboarding/onboarding.test.ts', name: 'details are submitted once and read back' },
      { file: contract, name: 'every code of the catalogue is listed by an operation, or is one that any request can get' },
    ],
  },
  {
    name: 'example-refused',
    about: 'an example of the contract lacks a required field',
    file: 'contract.operations.ts',
    find: "name: 'Charles Babbage', beneficiary_type: 'PERSON', iban: otherIban }",
    replace: "name: 'Charles Babbage', iban: otherIban }",
    caughtBy: [{ file: 'guards/contract/contract.examples.test.ts', name: 'createBeneficiary: the example is accepted' }],
  },
  {
    name: 'event-typed-as-another',
    about: 'the schema of an event accepts the events of other types',
    file: 'events.catalogue.ts',
    find: "type: { type: 'string', const: type, description: 'The type of the event.' },",
    replace: "type: { type: 'string', description: 'The type of the event.' },",
    caughtBy: [{ file: contract, name: 'every event has a schema of its own, which its example matches and another event does not' }],
  },
]
