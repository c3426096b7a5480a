import { type BodyOf, bodyOf, type Cancel, cancel, client, type QueryOf } from '../client.ts'

/** The requests of functions. */
export const functionsApi = {
  functions: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/functions', cancel(options)))).functions,
  function: (name: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/functions/{name}', { params: { path: { name } }, ...cancel(options) })),
  functionVersions: async (name: string, options?: Cancel) =>
    (
      await bodyOf(
        client.GET('/console/api/functions/{name}/versions', { params: { path: { name } }, ...cancel(options) }),
      )
    ).versions,
  rollBackFunction: (name: string, version: number) =>
    bodyOf(client.POST('/console/api/functions/{name}/rollback', { params: { path: { name } }, body: { version } })),
  functionFiles: async (name: string, options?: Cancel) =>
    (
      await bodyOf(
        client.GET('/console/api/functions/{name}/files', { params: { path: { name } }, ...cancel(options) }),
      )
    ).files,
  functionFile: async (name: string, path: string, options?: Cancel): Promise<string> =>
    String(
      await bodyOf(
        client.GET('/console/api/functions/{name}/file', {
          params: { path: { name }, query: { path } },
          parseAs: 'text',
          ...cancel(options),
        }),
      ),
    ),
  saveFunctionFile: (name: string, body: BodyOf<'saveFunctionFile'>) =>
    bodyOf(client.PUT('/console/api/functions/{name}/file', { params: { path: { name } }, body })),
  invokeFunction: (name: string, body: BodyOf<'invokeFunction'>) =>
    bodyOf(client.POST('/console/api/functions/{name}/invocations', { params: { path: { name } }, body })),
  functionProcesses: (name: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/functions/{name}/processes', { params: { path: { name } }, ...cancel(options) })),
  functionTriggers: (name: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/functions/{name}/triggers', { params: { path: { name } }, ...cancel(options) })),
  functionCalls: async (query: QueryOf<'functionCalls'>, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/function-calls', { params: { query }, ...cancel(options) }))).functions,
  functionLogs: (query: QueryOf<'functionLogs'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/function-logs', { params: { query }, ...cancel(options) })),
  functionSecrets: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/function-secrets', cancel(options)))).secrets,
  setFunctionSecret: (name: string, value: string) =>
    bodyOf(client.POST('/console/api/function-secrets', { body: [{ name, value }] })),
  unsetFunctionSecret: (name: string) => bodyOf(client.DELETE('/console/api/function-secrets', { body: [name] })),
}
