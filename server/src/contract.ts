// Generates files from the code: the contract, also as a Postman collection; the pages of error codes, events and sign-in factors; the
// schemas of messages; the example settings; and for the console, access and lists of values. A guard test fails if a generated file is out
// of date; `npm run contract` updates them.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { envExample, readConfig } from './config.ts'
import { valuesModule } from './contract.values.ts'
import { eventCatalogue } from './events.catalogue.ts'
import { messageTypes, schemaOf } from './iso20022/iso20022.ts'
import { Database } from './platform/database/database.ts'
import { errorCodesMarkdown } from './platform/docs/docs.errors.ts'
import { postmanCollection } from './platform/docs/openapi.postman.ts'
import { contractOf } from './platform/docs/openapi.ts'
import { createLog } from './platform/log.ts'
import { simulatedBankMarkdown } from './sandbox/bank/sandbox.bank.docs.ts'
import { openServices } from './services.ts'
import { accessModule } from './users/users.access.made.ts'
import { authorityMarkdown } from './users/users.authority.ts'
import { factorsMarkdown } from './users/users.factors.ts'
import { reservedMarkdown } from './ventures/ventures.reserved.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The text of each generated file. */
export async function generatedFiles(): Promise<Record<string, string>> {
  // Never connects: the contract needs only the routes, and the pool opens no connection before the first query.
  const database = new Database({ url: 'postgres://nobody@127.0.0.1/nothing' })
  const app = await createApp(openServices({ config: readConfig({}), database, log: createLog('silent') }))
  await app.ready()
  const contract = contractOf(app)
  await app.close()
  await database.close()
  return {
    'openapi.json': contract,
    'docs/vostro.postman_collection.json': postmanCollection(JSON.parse(contract)),
    'docs/errors.md': errorCodesMarkdown(),
    'docs/events.md': eventCatalogue(),
    'docs/reserved.md': `${reservedMarkdown()}\n${authorityMarkdown()}`,
    'docs/sign-in.md': factorsMarkdown(),
    'docs/simulated-bank.md': simulatedBankMarkdown(),
    '.env.example': envExample(),
    'console/src/access.made.ts': accessModule(),
    'console/src/values.made.ts': valuesModule(),
    ...Object.fromEntries(messageTypes.map((type) => [`docs/iso20022/${type}.xsd`, schemaOf(type)])),
  }
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(await generatedFiles())) {
    await mkdir(dirname(root + name), { recursive: true })
    await writeFile(root + name, text)
  }
}
