#!/usr/bin/env node
// The command `vostro`. The published package contains compiled code; a checkout runs the sources directly, on the Node that `npm ci` installs.
import { existsSync } from 'node:fs'
import * as modules from 'node:module'

const source = new URL('../src/main.ts', import.meta.url)

async function load() {
  if (!existsSync(source)) return import('../dist/main.js')
  if (process.features.typescript === undefined || process.features.typescript === false) {
    console.error(`Node ${process.versions.node} cannot run TypeScript: start it as \`npx vostro\`, or with Node 24 or newer.`)
    process.exit(2)
  }
  // In a checkout, the SDK's sources, built or not.
  const sdk = new URL('../../sdk/src/sdk.ts', import.meta.url).href
  modules.registerHooks({
    resolve: (specifier, context, next) => next(specifier === '@vostro/sdk' ? sdk : specifier, context),
  })
  return import(source.href)
}

const { main } = await load()
process.exitCode = await main(process.argv.slice(2))
