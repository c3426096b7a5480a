import { stat } from 'node:fs/promises'

/** The dependencies of `watchSecretFiles`. */
export interface SecretWatchDeps {
  readonly files: readonly string[]
  readonly everyMs: number
  /** Called when a file has changed. @returns whether it is to be called again at the next look */
  readonly changed: () => Promise<boolean>
}

export interface SecretWatch {
  /** Resolves when it is known how the files are. */
  readonly begun: Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Looks at files from time to time. Notifications of the file system miss what Docker and Kubernetes do: they replace a link
 * to the folder that a file is in. A file counts as changed once it has rested for a look, as it may be written in parts.
 */
export function watchSecretFiles({ files, everyMs, changed }: SecretWatchDeps): SecretWatch {
  let closed = false
  let timer: NodeJS.Timeout | null = null
  let looking: Promise<void> = Promise.resolve()
  let read: string | null = null
  let seen: string | null = null
  const look = async (): Promise<void> => {
    const now = (await Promise.all(files.map(stampOf))).join('\n')
    read ??= now
    if (now !== read && now === seen) read = (await changed()) ? '' : now
    seen = now
  }
  const wait = (): void => {
    if (closed) return
    timer = setTimeout(() => {
      looking = look().finally(wait)
    }, everyMs).unref()
  }
  if (files.length > 0) looking = look().finally(wait)
  return {
    begun: looking,
    async close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
      await looking
    },
  }
}

/** What is another once a file was written or replaced, also where a link leads elsewhere. */
const stampOf = (path: string): Promise<string> =>
  stat(path).then(
    ({ dev, ino, size, mtimeMs, ctimeMs }) => [dev, ino, size, mtimeMs, ctimeMs].join(' '),
    () => 'missing',
  )
