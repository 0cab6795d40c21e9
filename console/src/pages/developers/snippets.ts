export type Language = 'curl' | 'sdk' | 'cli'

/** What the lines are about. What the venture does not have yet is a name in capitals. */
export type Own = { origin: string; account: string | undefined; beneficiary: string | undefined; transfer: string | undefined }

export type Lines = { title: string; text: string }

const json = '-H "Content-Type: application/json"'
const auth = '-H "Authorization: Bearer $VOSTRO_KEY"'

export function snippetsFor(language: Language, { origin, ...own }: Own): Lines[] {
  const account = own.account ?? 'ACCOUNT_ID'
  const beneficiary = own.beneficiary ?? 'BENEFICIARY_ID'
  const transfer = own.transfer ?? 'TRANSFER_ID'
  const order = { account_id: account, beneficiary_id: beneficiary, unique_reference: 'TEST-1', debit_amount: '1.00' }
  return {
    curl: [
      { title: 'Does the key work?', text: `export VOSTRO_KEY=…\ncurl ${origin}/api/v1/venture ${auth}` },
      { title: 'An account with its balances', text: `curl ${origin}/api/v1/accounts/${account} ${auth}` },
      {
        title: 'What would become of a transfer? Nothing is sent.',
        text: `curl ${origin}/api/v1/transfers/dry-run \\\n  ${auth} \\\n  ${json} \\\n  -d '${JSON.stringify(order, null, 2)}'`,
      },
      { title: 'How a transfer came to its status', text: `curl ${origin}/api/v1/transfers/${transfer}/history ${auth}` },
    ],
    sdk: [
      {
        title: 'npm install @vostro/sdk',
        text: [
          `import { Vostro } from '@vostro/sdk'`,
          '',
          `const vostro = new Vostro({ key: process.env.VOSTRO_KEY, baseUrl: '${origin}' })`,
          '',
          `const account = await vostro.accounts.get('${account}')`,
          `for await (const transfer of vostro.transfers.list({ account_id: account.id })) console.log(transfer.status)`,
        ].join('\n'),
      },
      {
        title: 'What would become of a transfer? Nothing is sent.',
        text: `const { accepted, refusal } = await vostro.transfers.dryRun(${JSON.stringify(order, null, 2)})`,
      },
      {
        title: 'A receiver of webhooks, which trusts only what is signed',
        text: [
          `import { verifyWebhook } from '@vostro/sdk'`,
          '',
          `app.post('/hooks', express.raw({ type: 'application/json' }), async (request, response) => {`,
          '  const event = await verifyWebhook(request.body, request.headers, process.env.WEBHOOK_SECRET)',
          `  if (event.type === 'transfer.completed') await handle(event)`,
          '  response.sendStatus(200)',
          '})',
        ].join('\n'),
      },
    ],
    cli: [
      { title: 'Keep a key', text: `npx vostro login --url ${origin}` },
      { title: 'Events on your own machine, signed', text: 'npx vostro listen --forward-to localhost:3000/hooks' },
      { title: 'Make one happen in the sandbox', text: 'npx vostro trigger transfer.completed' },
      { title: 'Look at a transfer', text: `npx vostro transfers get ${transfer}\nnpx vostro transfers history ${transfer}` },
      { title: 'What was refused', text: 'npx vostro logs tail --status 4xx --follow' },
    ],
  }[language]
}
