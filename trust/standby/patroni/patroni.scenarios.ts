// The scenarios on a cluster that Patroni manages, through HAProxy and with the hosts of all nodes in the URL.
import type { Context } from '../../faults/experiment.ts'
import { withSetup } from '../../faults/with-setup.ts'
import { resolveOrders, type Scene, sendOrders, underLoad, watchingSilence } from '../standby.load.ts'
import type { Scenario } from '../standby.scenarios.ts'
import { Cluster } from './patroni.cluster.ts'
import type { PatroniNode } from './patroni.node.ts'
import type { Programs } from './patroni.programs.ts'

type ClusterScene = Scene & { cluster: Cluster }

type Run = (scene: ClusterScene) => Promise<void>

type Access = 'haproxy' | 'hosts'

const ways: Record<Access, string> = { haproxy: 'through HAProxy', hosts: 'all hosts in the URL' }

export function patroniScenarios({ programs, orders }: { programs: Programs; orders: number }): Scenario[] {
  const scenario = (name: string, about: string, run: Run): Scenario[] =>
    (['haproxy', 'hosts'] as const).map((access) => {
      const silent_ms: number[] = []
      return {
        name: `${name}-${access}`,
        about: `${about} (${ways[access]})`,
        silent_ms,
        run: (context) => withCluster(context, programs, access, (scene) => run({ ...scene, silent_ms })),
      }
    })
  return [
    ...scenario('primary-lost', 'the machine of the primary is lost under load; Patroni promotes the standby', primaryLost),
    ...scenario('switchover', 'a planned switchover under load', switchover),
    ...scenario(
      'commit-cancelled',
      'all standbys are away, each COMMIT is cancelled, the primary is lost, a standby is promoted',
      failingCommits(orders, ({ postgres }, pid) => postgres.cancel(pid)),
    ),
    ...scenario(
      'crash-restart',
      'all standbys are away, the primary crashes in each COMMIT and is restarted, then it is lost, a standby is promoted',
      failingCommits(orders, crash),
    ),
  ]
}

async function withCluster(
  context: Context,
  programs: Programs,
  access: Access,
  use: (scene: Omit<ClusterScene, 'silent_ms'>) => Promise<void>,
): Promise<void> {
  context.say('starting etcd, three nodes and HAProxy')
  const cluster = new Cluster(programs)
  await context.withCleanup(
    () => cluster.close(),
    async () => {
      await cluster.start()
      const hosting = { serviceUrl: cluster.url(access, 'service'), ownerUrl: cluster.url('hosts', 'owner') }
      await withSetup(context, { hosting }, (setup) => use({ context, setup, cluster }))
    },
  )
}

const primaryLost: Run = (scene) =>
  underLoad(scene, async ({ context, cluster }) => {
    const lost = await cluster.untilWhole()
    await lost.kill()
    context.results.faults++
    await cluster.untilReplaced(lost)
    // It has commits that nobody was told of, which Patroni rewinds.
    lost.start()
    await cluster.untilWhole()
  })

const switchover: Run = (scene) =>
  underLoad(scene, async ({ context, cluster }) => {
    const primary = await cluster.untilWhole()
    const candidate = (await cluster.standbys(primary)).at(-1)?.name ?? ''
    await primary.order('switchover', { leader: primary.name, candidate })
    context.results.faults++
    await cluster.untilReplaced(primary)
    await cluster.untilWhole()
  })

/** Alternates between killing a backend, after which PostgreSQL restarts itself, and killing all of PostgreSQL, which Patroni restarts. */
async function crash(primary: PatroniNode, pid: number, times: number): Promise<void> {
  if (times % 2 === 0) process.kill(pid, 'SIGKILL')
  else await primary.crash()
  await primary.untilPrimary()
}

/**
 * The standbys are away; `fail` happens to each COMMIT that waits for them; then the primary is lost. Patroni promotes nobody by itself,
 * because no standby was synchronous any more, so people do.
 */
function failingCommits(orders: number, fail: (primary: PatroniNode, pid: number, times: number) => Promise<void>): Run {
  return (scene) =>
    watchingSilence(scene, async () => {
      const { context, setup, cluster } = scene
      const primary = await cluster.untilWhole()
      const standbys = await cluster.standbys(primary)
      for (const standby of standbys) await standby.kill()
      const unknown = await sendOrders(scene, orders, async () => {
        const [pid = 0] = await primary.postgres.untilCommitsWait()
        await fail(primary, pid, context.results.faults)
        context.results.faults++
      })
      await primary.kill()
      for (const standby of standbys) standby.start()
      await cluster.failOver(standbys)
      // It has commits that never reached a standby. If Patroni restarted it after a crash, it also began a timeline, and the promoted
      // standby, which does not know of that, begins one with the same number: Patroni would not see that they differ, and not rewind.
      primary.startEmpty()
      await cluster.untilWhole()
      await setup.bank.untilReady()
      await resolveOrders(scene, unknown)
    })
}
