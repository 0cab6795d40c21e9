import { test } from 'node:test'
import { ConsoleBank } from './console.bank.ts'
test('try', async () => {
  const t = performance.now()
  const bank = await ConsoleBank.open({ demo: 'small' })
  console.log('full', performance.now() - t)
  await bank.stop()
})
