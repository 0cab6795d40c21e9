// Passes the address of the database server from the test runner to the test files, which are processes of their own.
import type { Client } from 'pg'

export type TestServer = { ownerUrl: string; serviceUrl: string; template: string }

const variable = 'VOSTRO_TEST_SERVER'

export function passTestServer(server: TestServer): void {
  process.env[variable] = JSON.stringify(server)
}

export function findTestServer(): TestServer {
  const passed = process.env[variable]
  if (passed === undefined) throw new Error('Tests need their database: run them with "npm run test:only -- <file>".')
  return JSON.parse(passed)
}

/** The same server and login, another database. */
export function urlOf(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

/** By default PostgreSQL also writes every page of the template to its log, which takes five times as long as copying the files. */
export async function createDatabase(creator: Client, name: string, template = 'template1'): Promise<void> {
  await creator.query(`create database ${name} template ${template} strategy file_copy`)
}
