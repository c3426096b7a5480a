import type { DefineCommand } from '../command.ts'
import { type DirectoryOptions, directoryOptions, settingsOf } from '../options.ts'
import { print } from '../print.ts'
import { writeLink } from '../remote/link.ts'
import { projectOf } from '../target.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command).action((options: DirectoryOptions) =>
    run(async () => {
      await writeLink(projectOf(settingsOf({ ...options })), null)
      print('Commands work on the running instance again.')
      return 0
    }),
  )
}
