import { chmod, chown, copyFile, cp, lstat, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { installedRuntime, runtimeIn } from './launch.ts'
import { type DenoInstallation, pidFile, type WorkerUser } from './process.ts'

/** The folders of functions in an instance. */
export interface FunctionFolders {
  /** Short-lived files, in a folder that other users may pass through. */
  readonly run: string
  /** Deno's cache, which outlives the process. */
  readonly cache: string
}

/** The user of workers under root: none that anything else runs as, and that needs no account. */
const workerUser: WorkerUser = { uid: 64_021, gid: 64_021 }

/**
 * Makes Deno ready to run on this machine, and ends what a server that was killed left running.
 *
 * @returns null where the platform has no binary of Deno
 */
export async function installDeno({ run, cache }: FunctionFolders): Promise<DenoInstallation | null> {
  const binary = findBinary()
  if (binary === null) return null
  await endLeftovers(join(run, workersFolder))
  await rm(run, { recursive: true, force: true })
  await makeOwnFolder(run)
  for (const folder of [run, join(run, workersFolder), join(run, versionsFolder)]) {
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o711)
  }
  await cp(installedRuntime, join(run, 'runtime'), { recursive: true })
  const user = process.getuid?.() === 0 ? workerUser : null
  await mkdir(cache, { recursive: true })
  const isReachable = user === null || ((await isOpen(binary)) && (await isOpen(cache)))
  const cacheInUse = isReachable ? cache : join(run, 'cache')
  await mkdir(cacheInUse, { recursive: true })
  if (user !== null) await chown(cacheInUse, user.uid, user.gid)
  return {
    deno: isReachable ? binary : await copyBinary(binary, run),
    cache: cacheInUse,
    registries: registriesIn(process.env),
    user,
    runtime: runtimeIn(join(run, 'runtime')),
  }
}

const registriesIn = (environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['NPM_CONFIG_REGISTRY', 'JSR_URL'].flatMap((name) => {
      const url = environment[name]
      return url === undefined ? [] : [[name, url]]
    }),
  )

/** Another user's folder of this name would let that user replace what functions run. */
async function makeOwnFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  if ((await lstat(path)).uid !== userInfo().uid)
    throw new Error(`${path}, the folder in which functions run, belongs to another user; remove it or set TMPDIR.`)
}

/** In the folder for short-lived files: one folder a worker, and one a version. */
export const workersFolder = 'workers'
export const versionsFolder = 'versions'

/** Deno's binary for this platform; its npm package needs no install script. */
function findBinary(): string | null {
  const own = createRequire(import.meta.url)
  const { platform, arch } = process
  const name = `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`
  try {
    // The platform's package is a dependency of deno, perhaps not hoisted beside it.
    const through = createRequire(own.resolve('deno/package.json'))
    return join(dirname(through.resolve(`${name}/package.json`)), platform === 'win32' ? 'deno.exe' : 'deno')
  } catch {
    return null
  }
}

/** Whether any user may pass through every folder above a path; one in /root cannot be reached, say. */
async function isOpen(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

async function copyBinary(binary: string, run: string): Promise<string> {
  const copy = join(run, 'deno')
  await copyFile(binary, copy)
  await chmod(copy, 0o755)
  return copy
}

/** Ends workers whose server was killed: one that never comes to read its input does not notice. */
async function endLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(await readFile(join(folder, name, pidFile), 'utf8').catch(() => ''))
    // The id may belong to another process by now: ours has its folder among its arguments.
    const command = pid > 0 ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : ''
    if (command.includes(join(folder, name))) process.kill(pid, 'SIGKILL')
  }
}
