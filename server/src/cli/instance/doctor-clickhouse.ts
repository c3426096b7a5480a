import {
  type ClickHouse,
  type FoundServers,
  findServers,
  isTooOld,
  oldestVersion,
  tryTables,
} from '../../engines/clickhouse/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { serviceTables } from '../../plan/tables/service-tables.ts'
import { type Finding, fine, wrong } from './finding.ts'

const about = 'ClickHouse'

/**
 * Looks at a ClickHouse that Clew does not run: whether it answers, is new enough, and is one server.
 *
 * @param makesTables whether all tables are made there, used and removed, in a database of their own
 */
export async function checkServer(url: string, makesTables: boolean): Promise<Finding[]> {
  try {
    const found = judgeServers(await findServers(url))
    return found.problem === null && makesTables ? [found, await checkTables(url)] : [found]
  } catch (error) {
    return [wrong(about, messageOf(error), 'Check clickhouse_url, its login, and that the server runs.')]
  }
}

/** Whether what answers is new enough, and one server. */
export function judgeServers({ version, servers }: FoundServers): Finding {
  if (isTooOld(version)) return wrong(about, `this is ${version}`, `Give one of ${oldestVersion} or newer.`)
  if (servers === 1) return fine(about, `${version}, one server`)
  return wrong(
    about,
    `${servers} servers answer at clickhouse_url`,
    'Name one of them: each would have other tables and rows, as tables are not replicated.',
  )
}

async function checkTables(url: string): Promise<Finding> {
  const of = 'tables of ClickHouse'
  let doing = ''
  try {
    await tryTables(url, async (engine) => {
      for (const { name, clickhouse } of serviceTables) {
        if (clickhouse === undefined) continue
        doing = `${name}: `
        await engine.migrate(name, clickhouse)
      }
      doing = 'an event: '
      await useEvents(engine)
    })
    return fine(of, 'made, written, changed and removed in a database of their own')
  } catch (error) {
    return wrong(
      of,
      `${doing}${messageOf(error)}`,
      'Give the login the rights to create and alter tables in any database.',
    )
  }
}

/** What is done with rows: one that comes twice is there once, a change reaches projections, a deletion leaves none. */
async function useEvents({ insert, query, command }: ClickHouse): Promise<void> {
  const uuid = '00000000-0000-4000-8000-000000000001'
  const row = { uuid, event: 'tried', distinct_id: 'doctor', session_id: 'doctor', properties: '{}' }
  for (let times = 0; times < 2; times += 1) await insert('events', [row])
  const run = (text: string): Promise<void> => command({ text: `${text} settings mutations_sync = 2`, parameters: {} })
  const count = async (): Promise<string | undefined> => {
    const text = `select count() as rows from events final where session_id = 'doctor' and window_id = 'changed'`
    return (await query<{ rows: string }>({ text, parameters: {} }))[0]?.rows
  }
  await run(`alter table events update window_id = 'changed' where distinct_id = 'doctor'`)
  if ((await count()) !== '1') throw new Error('An event that was stored twice and changed is not there once.')
  await run(`alter table events delete where distinct_id = 'doctor'`)
  if ((await count()) !== '0') throw new Error('An event that was deleted is there still.')
}
