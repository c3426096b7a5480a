import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { SecretReload } from '../../ground/model/secret-reload.ts'
import {
  askMetrics,
  askReloadKeys,
  askReloadSecrets,
  askStatus,
  type InstanceStatus,
  listenPrivately,
} from '../control.ts'
import { joinReloads } from '../secrets/join.ts'
import type { CrewMember } from './crew.ts'
import { controlOf } from './folders.ts'
import { joinMetrics } from './join-metrics.ts'

/** The dependencies of `openRelay`. */
export interface RelayDeps {
  readonly socketPath: string
  readonly members: () => readonly CrewMember[]
  /** The processes of embedded engines, by the engine's name. */
  readonly enginePids: () => Promise<Readonly<Record<string, number | null>>>
  /** Has the vault take the root keys as they are now. */
  readonly renewVaultKeys: () => Promise<void>
  /** Reads the secrets of this process again. */
  readonly reloadSecrets: () => Promise<SecretReload>
  readonly stop: () => void
}

/**
 * The control socket of an instance with workers: what is about all of them is asked of each, and anything else of one
 * that is ready.
 */
export async function openRelay({ socketPath, ...deps }: RelayDeps): Promise<{ close(): Promise<void> }> {
  const ready = (): readonly CrewMember[] => deps.members().filter(({ isReady }) => isReady)
  const server = createServer((incoming, answer) => {
    const failed = (): void => void answer.writeHead(500).end('No worker answers.')
    const sendJson = (value: unknown) =>
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://control')
    switch (`${incoming.method} ${pathname}`) {
      case 'GET /status':
        statusOf(deps).then(sendJson, failed)
        return
      case 'GET /metrics':
        metricsOf(ready()).then((text) => answer.writeHead(200).end(text), failed)
        return
      case 'POST /keys':
        reloadKeys(ready(), deps.renewVaultKeys, searchParams.get('rotated')).then(
          () => answer.writeHead(204).end(),
          failed,
        )
        return
      case 'POST /secrets':
        reloadAll(ready(), deps.reloadSecrets, searchParams.get('by')).then(sendJson, failed)
        return
      case 'POST /stop':
        answer.writeHead(202).end()
        deps.stop()
        return
      default: {
        const [first] = ready()
        if (first === undefined) failed()
        else passOn(controlOf(first.folder), incoming, answer)
      }
    }
  })
  await listenPrivately(server, socketPath)
  return {
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** One of the workers writes the audit log, of keys as of secrets. */
const reloadKeys = async (
  members: readonly CrewMember[],
  renewVaultKeys: RelayDeps['renewVaultKeys'],
  rotated: string | null,
): Promise<void> => {
  await renewVaultKeys()
  await Promise.all(members.map(({ folder }, index) => askReloadKeys(controlOf(folder), index === 0 ? rotated : null)))
}

const reloadAll = async (
  members: readonly CrewMember[],
  reloadOwn: RelayDeps['reloadSecrets'],
  by: string | null,
): Promise<SecretReload> =>
  joinReloads(
    await Promise.all([
      reloadOwn(),
      ...members.map(({ folder }, index) => askReloadSecrets(controlOf(folder), index === 0 ? by : null)),
    ]),
  )

function passOn(socketPath: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, url, headers } = incoming
  const outgoing = request({ socketPath, method, path: url, headers }, (reply) => {
    answer.writeHead(reply.statusCode ?? 500, reply.headers)
    reply.pipe(answer)
    reply.once('error', () => answer.destroy())
  })
  outgoing.once('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(500).end()))
  answer.once('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

/** What one of the workers says, with a line for each of them. */
export async function statusOf({
  members,
  enginePids,
}: Pick<RelayDeps, 'members' | 'enginePids'>): Promise<InstanceStatus> {
  const asked = await Promise.all(
    members().map(async (member) => ({
      member,
      status: member.isReady ? await askStatus(controlOf(member.folder)).catch(() => null) : null,
    })),
  )
  const one = asked.find(({ status }) => status !== null)?.status
  if (one == null) throw new Error('No worker answers.')
  const pids = await enginePids()
  const workers = asked.map(({ member, status }): EngineHealth => {
    const changes = status?.engines.find(({ name }) => name === 'row changes')?.detail ?? ''
    return status === null
      ? { name: `worker ${member.number}`, state: 'starting', detail: 'Is being started.', pid: member.pid }
      : { name: `worker ${member.number}`, state: 'up', detail: changes, pid: member.pid }
  })
  return {
    ...one,
    pid: process.pid,
    engines: [...one.engines.map((engine) => ({ ...engine, pid: pids[engine.name] ?? engine.pid })), ...workers],
  }
}

async function metricsOf(members: readonly CrewMember[]): Promise<string> {
  return joinMetrics(
    await Promise.all(
      members.map(async ({ number, folder }) => ({ number, text: await askMetrics(controlOf(folder)) })),
    ),
  )
}
