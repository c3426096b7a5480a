import type { DefineCommand } from '../command.ts'
import { type DirectoryOptions, directoryOptions } from '../options.ts'
import { print } from '../print.ts'
import { writeLink } from '../remote/link.ts'
import { settingsOf } from '../settings-of.ts'
import { projectOf } from '../target.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command).action((options: DirectoryOptions) =>
    run(async () => {
      await writeLink(projectOf(await settingsOf({ ...options })), null)
      print('Commands work on the running instance again.')
      return 0
    }),
  )
}
