// The operator's list of transfers of all ventures.
import { type Static, Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { Columns, fragment, read } from '../../platform/database/sql.ts'
import { readsAtBank } from '../../platform/http/access.ts'
import type { App } from '../../platform/http/http.ts'
import { equals, type Filters, given, pageWith, sendPage } from '../../platform/http/lists.ts'
import { Choice, described, Id, Paging, Query, Resource } from '../../platform/http/schemas.ts'
import { listVentureIds } from '../../ventures/ventures.ts'
import { readColumns } from '../life/transfers.columns.ts'
import { Transfer, TransferStatus } from '../life/transfers.schemas.ts'
import { transferMethods } from '../life/transfers.status.ts'
import { withDetails } from '../writing/transfers.details.sql.ts'

const OperatorTransfer = Resource('OperatorTransfer', { venture_id: described(Id, 'The venture of the transfer.'), ...Transfer.properties })
type OperatorTransfer = Static<typeof OperatorTransfer>

const OperatorTransferList = Query({
  ...Paging,
  status: described(TransferStatus, 'Returns only transfers with this status. Required.'),
  method: Type.Optional(Choice(transferMethods, { description: 'Returns only transfers over this rail.' })),
})
type OperatorTransferList = Static<typeof OperatorTransferList>

const columns = new Columns(readColumns)
const columnsOfTransfer = new Columns(readColumns, 'transfer')

type Row = OperatorTransfer & { detailed: boolean }

const filters: Filters<OperatorTransferList> = {
  status: equals(fragment`status`),
  method: equals(fragment`method`),
}

/** Takes the newest of each venture, then the newest overall: an index orders a venture's transfers by status and id. */
async function listTransfersOfAllVentures(database: Database, query: OperatorTransferList): Promise<OperatorTransfer[]> {
  const ventures = await listVentureIds(database)
  const { offset = 0, limit = 50, ...rest } = query
  const newest = pageWith({ ...rest, limit: limit + offset }, given(query, filters))
  const rows = await database.rows(
    database.placement.either({
      together: () => read<Row>`
        select ${columns} from (
          select newest.* from unnest(${ventures}::uuid[]) as asked (id) cross join lateral (
            select ${columnsOfTransfer} from transfers transfer where transfer.venture_id = asked.id and ${newest}) as newest) as all_ventures
        order by id desc limit ${limit + 1} offset ${offset}`,
      // Citus takes the newest of every shard on its own, but cannot do so for each venture.
      apart: () => read<Row>`
        select ${columns} from transfers where venture_id = any(${ventures}) and ${pageWith(query, given(query, filters))}`,
    }),
  )
  return withDetails(database, rows)
}

export async function operatorTransferRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.get(
    '/operator/transfers',
    {
      config: {
        access: readsAtBank,
        refusals: [],
        example: { query: { status: 'ON_HOLD' } },
        trial: { query: { status: 'COMPLETED' } },
      },
      schema: {
        operationId: 'listTransfersOfAllVentures',
        tags: ['Transfers (bank)'],
        summary: 'List the transfers of all ventures with a given status, newest first',
        description: 'For operators looking for transfers that have stopped, such as those ON_HOLD.',
        querystring: OperatorTransferList,
        response: { 200: Type.Array(OperatorTransfer) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listTransfersOfAllVentures(database, request.query)),
  )
}
