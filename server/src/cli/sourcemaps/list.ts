import { timeOf } from '../functions/answers.ts'
import { green, print, printRows } from '../print.ts'
import { withConsole } from '../remote/connect.ts'
import type { RemoteOptions } from '../remote/options.ts'

const path = '/error-source-maps'

interface MapsAnswer {
  readonly releases: readonly { release: string; files: number; sizeBytes: number; uploadedAt: string }[]
}

export async function list({ json = false, ...options }: RemoteOptions & { json?: boolean }): Promise<number> {
  return withConsole(options, async (api) => {
    const { releases } = (await api.send('GET', path)) as MapsAnswer
    if (json) print(JSON.stringify(releases, null, 2))
    else if (releases.length === 0) print('There are no source maps yet: clew sourcemaps upload dist --release v1')
    else
      printRows(
        ['Release', 'Files', 'Uploaded'],
        releases.map(({ release, files, uploadedAt }) => [release || '–', String(files), timeOf(uploadedAt)]),
      )
    return 0
  })
}

export async function remove(release: string, options: RemoteOptions): Promise<number> {
  return withConsole(options, async (api) => {
    await api.send('DELETE', `${path}?${new URLSearchParams({ release })}`)
    print(`  ${green('✓')} The source maps of ${release} are deleted, on ${api.name}`)
    return 0
  })
}
