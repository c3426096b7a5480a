import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { instanceError } from '../../errors.ts'
import { findFunctions, functionsFolder, isFunctionName } from '../../services/functions/index.ts'
import type { DefineCommand } from '../command.ts'
import { type DirectoryOptions, directoryOptions, settingsOf } from '../options.ts'
import { bold, print, printRows } from '../print.ts'
import { projectOf } from '../target.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command.command('new').description('write a function that answers'))
    .argument('<name>', 'its name, which is the last part of its address')
    .action((name: string, options: DirectoryOptions) => run(() => create(name, options)))
  directoryOptions(command.command('list').description('the functions of the project folder'))
    .option('--json', 'as JSON')
    .action((options: DirectoryOptions & { json?: boolean }) => run(() => list(options)))
}

const template = `Deno.serve(async (request) => {
  const { name = 'world' } = await request.json()
  return Response.json({ message: \`Hello \${name}\` })
})
`

/** Writes a function's file. @throws CLEW_FUNCTION_NAME, CLEW_FUNCTION_EXISTS */
async function create(name: string, options: DirectoryOptions): Promise<number> {
  const project = projectOf(settingsOf({ ...options }))
  if (!isFunctionName(name)) throw instanceError('CLEW_FUNCTION_NAME', { details: name })
  const path = join(functionsFolder, name, 'index.ts')
  await mkdir(dirname(join(project, path)), { recursive: true })
  await writeFile(join(project, path), template, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause
    throw instanceError('CLEW_FUNCTION_EXISTS', { details: path, cause })
  })
  print(`Created new function at ${bold(path)}`)
  print(`Call it: supabase.functions.invoke('${name}', { body: { name: 'Ana' } })`)
  return 0
}

/** Prints names, entry files, and whether a caller needs a token. */
async function list({ json = false, ...options }: DirectoryOptions & { json?: boolean }): Promise<number> {
  const settings = settingsOf({ ...options })
  const functions = await findFunctions(projectOf(settings), settings.functions.each)
  if (json)
    print(
      JSON.stringify(
        functions.map(({ name, entry, verifyJwt }) => ({ name, entry, verify_jwt: verifyJwt })),
        null,
        2,
      ),
    )
  else if (functions.length === 0) print('There are no functions yet: clew functions new <name> writes one.')
  else
    printRows(
      ['Name', 'Entry', 'Verify JWT'],
      functions.map(({ name, entry, verifyJwt }) => [name, entry, verifyJwt ? 'yes' : 'no']),
    )
  return 0
}
