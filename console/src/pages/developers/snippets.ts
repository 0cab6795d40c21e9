export type Language = 'curl' | 'sdk' | 'cli'

/** What the snippets refer to. Capitals stand for what the venture does not have yet. */
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
      { title: 'Test the key', text: `export VOSTRO_KEY=…\ncurl ${origin}/api/v1/venture ${auth}` },
      { title: 'Read an account with its balances', text: `curl ${origin}/api/v1/accounts/${account} ${auth}` },
      {
        title: 'Dry-run a transfer (nothing is sent)',
        text: `curl ${origin}/api/v1/transfers/dry-run \\\n  ${auth} \\\n  ${json} \\\n  -d '${JSON.stringify(order, null, 2)}'`,
      },
      { title: 'Read the history of a transfer', text: `curl ${origin}/api/v1/transfers/${transfer}/history ${auth}` },
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
        title: 'Dry-run a transfer (nothing is sent)',
        text: `const { accepted, refusal } = await vostro.transfers.dryRun(${JSON.stringify(order, null, 2)})`,
      },
      {
        title: 'Receive webhooks and verify their signatures',
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
      { title: 'Store a key', text: `npx vostro login --url ${origin}` },
      { title: 'Receive signed events on your machine', text: 'npx vostro listen --forward-to localhost:3000/hooks' },
      { title: 'Trigger an event in the sandbox', text: 'npx vostro trigger transfer.completed' },
      { title: 'Inspect a transfer', text: `npx vostro transfers get ${transfer}\nnpx vostro transfers history ${transfer}` },
      { title: 'Watch refused requests', text: 'npx vostro logs tail --status 4xx --follow' },
    ],
  }[language]
}
