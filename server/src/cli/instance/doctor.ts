import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { checkBinaries as checkClickHouse } from '../../engines/clickhouse/index.ts'
import { checkExternal, checkBinaries as checkPostgres } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { findHolder } from '../../instance/lock.ts'
import type { InstanceSettings } from '../../settings/index.ts'
import { green, print, red } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import type { StartOptions } from '../start/start.ts'
import { checkServer } from './doctor-clickhouse.ts'
import { checkKeys } from './doctor-keys.ts'
import { checkProduction } from './doctor-production.ts'
import { type Finding, fine, wrong } from './finding.ts'

const minimumFreeBytes = 2 * 1024 ** 3

/** Checks the requirements of a start and the keys, in production also what the guides ask for, and prints each result with its repair. Exit code 1 when a check failed. */
export async function doctor(options: StartOptions): Promise<number> {
  const settings = await settingsOf({ ...options })
  const { instance } = settings
  const holder = await findHolder(instance.data)
  const findings: Finding[] = [
    checkNode(),
    await checkDirectory(instance.data, holder),
    await checkDisk(instance.data),
    ...(await checkPorts(instance, holder)),
    ...(instance.databaseUrl === null
      ? [await checkEngine('PostgreSQL', checkPostgres)]
      : await checkDatabase(instance.databaseUrl, instance.databaseDirectUrl)),
    ...(instance.clickhouseUrl === null
      ? [await checkEngine('ClickHouse', checkClickHouse)]
      : await checkServer(instance.clickhouseUrl, options.tables === true)),
    ...(await checkKeys(settings, holder !== null)),
    ...(instance.production ? await checkProduction(settings, holder !== null) : []),
  ]
  for (const { about, problem, note } of findings) {
    print(problem === null ? `${green('✓')} ${about}: ${note}` : `${red('✗')} ${about}: ${problem}\n    ${note}`)
  }
  return findings.some(({ problem }) => problem !== null) ? 1 : 0
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > 20 || (major === 20 && minor >= 19)
    ? fine('Node.js', process.versions.node)
    : wrong('Node.js', `this is ${process.versions.node}`, 'Install 20.19 or newer.')
}

async function checkDirectory(dataDir: string, holder: number | null): Promise<Finding> {
  const about = 'data directory'
  if (holder !== null) return fine(about, `${dataDir}, in use by process ${holder}`)
  try {
    // A check creates nothing: without the directory, its nearest parent has to be writable.
    const existing = await nearestExisting(dataDir)
    await access(existing, constants.R_OK | constants.W_OK | constants.X_OK)
    return fine(about, existing === dataDir ? dataDir : `${dataDir}, made by the first start`)
  } catch (error) {
    const reason = messageOf(error)
    return wrong(about, reason, 'Make it writable for this user, or choose another with --data.')
  }
}

/** The folder itself, or its nearest parent that exists. */
async function nearestExisting(folder: string): Promise<string> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  )
  return exists || dirname(folder) === folder ? folder : nearestExisting(dirname(folder))
}

async function checkDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(await nearestExisting(dataDir))
  const free = bavail * bsize
  const shown = `${(free / 1024 ** 3).toFixed(1)} GiB free`
  return free >= minimumFreeBytes
    ? fine('disk', shown)
    : wrong('disk', shown, 'Free at least 2 GiB, or put --data on another disk.')
}

async function checkPorts(instance: InstanceSettings, holder: number | null): Promise<Finding[]> {
  const ports: readonly (readonly [option: string, about: string, port: number | null, host: string])[] = [
    ['--port', 'port', instance.port, instance.host],
    ['--db-port', 'database port', instance.databaseUrl === null ? instance.dbPort : null, '127.0.0.1'],
    ['--console-port', 'console port', instance.consolePort, instance.host],
  ]
  const findings: Finding[] = []
  for (const [option, about, port, host] of ports) {
    if (port === null || port === 0) continue
    const free = await isFree(port, host)
    if (free) findings.push(fine(about, `${port} is free`))
    else if (holder !== null) findings.push(fine(about, `${port} is taken, and process ${holder} runs here`))
    else findings.push(wrong(about, `${port} is taken`, `Stop what listens there, or give another with ${option}.`))
  }
  return findings
}

/** Whether the port can be listened on. */
function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

async function checkDatabase(url: string, directUrl: string | null): Promise<Finding[]> {
  const about = 'PostgreSQL'
  try {
    const { note, required, advised } = await checkExternal(url, directUrl)
    const found =
      required.length === 0
        ? fine(about, note)
        : wrong(about, `${note}, may not do what a start needs`, `A superuser runs: ${required.join(' ')}`)
    return [found, ...advised.map((line) => fine(about, line))]
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return [wrong(about, error.details === null ? error.message : String(error.details), error.hint)]
  }
}

async function checkEngine(about: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return fine(about, await check())
  } catch (error) {
    const reason = messageOf(error)
    return wrong(about, reason, 'Run `npm install` again; this platform may have no binaries.')
  }
}
