// Test files that `npm test` leaves to `npm run test:deep` because they are slow, and those that need their own process.

/** Patterns of files, each with the reason. `npm test` runs every file that nothing here names; `npm run test:deep` runs all. */
export const deep: Readonly<Record<string, string>> = {
  'trust/authority/*.test.ts': 'Everybody at the bank attacks by every operation.',
  'trust/cluster/*.test.ts': 'It starts a cluster of Citus.',
  'trust/console/!(console.signin)*.test.ts': 'Every page of the console, in a browser.',
  'trust/console/attacks/*.test.ts': 'Every page of the console under attack, in a browser.',
  'trust/demo/*.test.ts': 'It builds the demo bank several times.',
  'trust/faults/*.test.ts': 'Servers are killed under load.',
  'trust/fuzz/*.test.ts': 'Every operation with thousands of inputs.',
  'trust/restore/*.test.ts': 'Databases are dumped, restored and served.',
  'trust/screening/*.test.ts': 'Tens of thousands of names are compared.',
  'trust/simulation/**/*.test.ts': 'Many days of a bank are simulated.',
  'trust/standby/**/*.test.ts': 'Servers fail over to their standby.',
  'trust/upgrade/*.test.ts': 'Databases of all earlier versions are upgraded.',
  'bench/tenants/*.test.ts': 'It loads a service with several ventures.',
  'cli/src/{package,listen}.test.ts': 'The command is packed, installed and run.',
  'sdk/src/{package,quickstart}.test.ts': 'The package is packed, installed and run.',
  'server/src/{demo,instances,readme,service}.test.ts': 'The whole service starts and stops many times.',
  'server/src/desk/desk.build.test.ts': 'The console is built several times.',
  'server/src/guards/methods.adding.test.ts': 'A copy of all sources is generated and compiled.',
  'server/src/guards/packaging/packaging.image.test.ts': 'The image is put together as the Dockerfile says.',
  'server/src/payments/checkout/payments.browser.test.ts': 'Every page for payers, in a browser.',
  'server/src/platform/backup/*.test.ts': 'Databases are backed up, restored and served.',
  'server/src/platform/database/database.standby.test.ts': 'A server with a standby is killed.',
  'server/src/platform/docs/docs.browser.test.ts': 'Every page of the docs, in a browser.',
  'server/src/platform/embedded/*.test.ts': 'The embedded PostgreSQL is installed and killed.',
  'server/src/sandbox/demo/*.test.ts': 'It builds the demo bank.',
  'server/src/sandbox/sandbox.clock.test.ts': 'Services are started days ahead.',
  'server/src/transfers/transfers.property.test.ts': 'Thousands of random lives of transfers.',
  'server/src/transfers/life/transfers.moves.test.ts': 'Every move from every status, over HTTP.',
  'server/src/verify/*.test.ts': 'Each kind of fault is planted in a database of its own.',
  'server/src/webhooks/webhooks.samples.test.ts': 'Samples in four languages are compiled and run.',
  'server/src/webhooks/webhooks.outage.test.ts': 'Services are killed while they deliver.',
}

/** Files that permanently change their process. */
export const alone: Readonly<Record<string, string>> = {
  'server/src/archive/archive.test.ts': 'It moves the clock.',
  'server/src/audit/audit.deciding.test.ts': 'It moves the clock.',
  'server/src/events/events.months.test.ts': 'It moves the clock.',
  'server/src/platform/clock.test.ts': 'It moves the clock.',
  'server/src/requests/requests.days.test.ts': 'It moves the clock.',
  'server/src/sandbox/bank/sandbox.bank.rails.test.ts': 'It moves the clock.',
  'trust/console/attacks/attacks.texts.test.ts': 'It moves the clock.',
  'trust/console/console.journeys.test.ts': 'It moves the clock.',
}
