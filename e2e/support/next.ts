import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort, type ProductFacts, runProgram, until } from './product.ts'

const guide = new URL('../../docs/guide/server-rendering.md', import.meta.url)

/** The guide's files of a Next.js application, by their path. */
async function readGuide(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(guide, 'utf8')
  const [tracing = ''] = /```ts\n(\/\*\* What says which browser[\s\S]*?)```/.exec(text)?.slice(1) ?? []
  const next = text.slice(text.indexOf('## Next.js'))
  // Each file stands behind the sentence that names it first.
  const files = [...next.matchAll(/\n\*\*[^*]+\*\*: `([\w./-]+)`[^`]*(?:`[^`\n]+`[^`]*)*?```tsx?\n([\s\S]*?)```/g)]
  return new Map([['lib/tracing.ts', tracing], ...files.map(([, path = '', code = '']) => [path, code] as const)])
}

/** What `create-next-app` makes, and a page at which a person signs up. */
const around: readonly (readonly [path: string, text: string])[] = [
  [
    'package.json',
    JSON.stringify({
      ...{ name: 'next-notes', private: true },
      dependencies: {
        ...{ next: '^16', react: '^19', 'react-dom': '^19' },
        ...{ '@supabase/ssr': '^0.12.7', '@supabase/supabase-js': '~2.119.1', 'posthog-js': '1.434.18' },
      },
      devDependencies: { '@types/node': '^20', '@types/react': '^19', '@types/react-dom': '^19', typescript: '^5' },
    }),
  ],
  [
    'app/layout.tsx',
    `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`,
  ],
  [
    'app/page.tsx',
    `import { redirect } from 'next/navigation'
import { supabaseOfRequest } from '../lib/supabase'

async function signUp(fields: FormData) {
  'use server'
  const supabase = await supabaseOfRequest()
  const { error } = await supabase.auth.signUp({
    email: String(fields.get('email')),
    password: String(fields.get('password')),
  })
  if (error !== null) throw new Error(error.message)
  redirect('/notes')
}

export default function SignUp() {
  return (
    <form action={signUp}>
      <label>E-mail <input name="email" /></label>
      <label>Password <input name="password" type="password" /></label>
      <button type="submit">Sign up</button>
    </form>
  )
}
`,
  ],
]

export interface NextApplication {
  readonly url: string
  /** The guide's files that it was made of. */
  readonly files: readonly string[]
  /** Everything it printed so far. */
  readonly output: () => string
  close(): Promise<void>
}

/** Writes the guide's application into a folder, installs Next.js from npm, builds the application and starts it. */
export async function startNext({ apiUrl, publishableKey, ingestToken }: ProductFacts): Promise<NextApplication> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-next-'))
  const files = await readGuide()
  for (const [path, text] of [...around, ...files]) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const env: NodeJS.ProcessEnv = {
    ...{ ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    ...{ NEXT_PUBLIC_SUPABASE_URL: apiUrl, NEXT_PUBLIC_SUPABASE_KEY: publishableKey },
    NEXT_PUBLIC_POSTHOG_KEY: ingestToken,
  }
  const next = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next')
  const install = ['install', '--include=dev', '--no-audit', '--no-fund']
  for (const [program, args] of [['npm', install] as const, [process.execPath, [next, 'build']] as const]) {
    const { code, stdout, stderr } = await runProgram(program, args, folder, env)
    if (code !== 0) throw new Error(`${program} ${args.join(' ')}:\n${stdout}\n${stderr}`)
  }
  const port = await freePort()
  const child = spawn(process.execPath, [next, 'start', '--hostname', '127.0.0.1', '--port', String(port)], {
    ...{ cwd: folder, env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await until(() => output.includes('Ready in') || child.exitCode !== null, 60_000)
  if (child.exitCode !== null) throw new Error(`The application ended:\n${output}`)
  return {
    url: `http://127.0.0.1:${port}`,
    files: [...files.keys()],
    output: () => output,
    async close() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
