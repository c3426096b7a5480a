import type { DefineCommand } from '../command.ts'
import { type RemoteOptions, remoteOptions } from '../remote/options.ts'

export const define: DefineCommand = (command, { run }) => {
  remoteOptions(command).action((options: RemoteOptions) =>
    run(async () => (await import('../mcp/mcp.ts')).mcp(options)),
  )
}
