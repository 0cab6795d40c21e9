// Generates files from the code: the contract, also as a Postman collection; the pages of error codes, events and sign-in factors; the
// example settings; the access table of the console; and the lists of values for the console and the command line. `npm run contract`
// updates them, and a guard test fails if one is out of date.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { envExample, readConfig } from './config.ts'
import { cliValues, consoleValues } from './contract.values.ts'
import { eventCatalogue } from './events.catalogue.ts'
import { messageTypes, schemaOf } from './iso20022/iso20022.ts'
import { Database } from './platform/database/database.ts'
import { errorCodesMarkdown } from './platform/docs/docs.errors.ts'
import { postmanCollection } from './platform/docs/openapi.postman.ts'
import { contractOf } from './platform/docs/openapi.ts'
import type { Operations } from './platform/http/operations.ts'
import { createLog } from './platform/log.ts'
import { simulatedBankMarkdown } from './sandbox/bank/sandbox.bank.docs.ts'
import { openServices } from './services.ts'
import { accessMarkdown } from './users/users.access.docs.ts'
import { accessModule } from './users/users.access.made.ts'
import { authorityMarkdown } from './users/users.authority.ts'
import { factorsMarkdown } from './users/users.factors.ts'
import { reservedMarkdown } from './ventures/ventures.reserved.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The contract, and the declarations of the routes. */
export async function openContract(): Promise<{ contract: string; operations: Operations }> {
  // Never connects: the contract needs only the routes, and the pool opens no connection before the first query.
  const database = new Database({ url: 'postgres://nobody@127.0.0.1/nothing' })
  const services = openServices({ config: readConfig({}), database, log: createLog('silent') })
  const { operations } = services
  const app = await createApp(services)
  await app.ready()
  const contract = contractOf(app)
  await app.close()
  await database.close()
  return { contract, operations }
}

/** The text of each generated file. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const { contract, operations } = await openContract()
  return {
    'openapi.json': contract,
    'docs/vostro.postman_collection.json': postmanCollection(JSON.parse(contract)),
    'docs/errors.md': errorCodesMarkdown(),
    'docs/events.md': eventCatalogue(),
    'docs/reserved.md': `${reservedMarkdown()}\n${authorityMarkdown(operations)}`,
    'docs/sign-in.md': `${factorsMarkdown(operations)}\n${accessMarkdown(operations)}`,
    'docs/simulated-bank.md': simulatedBankMarkdown(),
    '.env.example': envExample(),
    'console/src/access.made.ts': accessModule(operations),
    'console/src/values.made.ts': consoleValues(JSON.parse(contract)),
    'cli/src/values.made.ts': cliValues(JSON.parse(contract)),
    ...Object.fromEntries(messageTypes.map((type) => [`docs/iso20022/${type}.xsd`, schemaOf(type)])),
  }
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(await generatedFiles())) {
    await mkdir(dirname(root + name), { recursive: true })
    await writeFile(root + name, text)
  }
}
