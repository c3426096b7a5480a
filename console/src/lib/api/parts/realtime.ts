import { type BodyOf, bodyOf, type Cancel, cancel, client, type QueryOf } from '../client.ts'

/** The requests of realtime. */
export const realtimeApi = {
  realtimeChannels: (search: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/realtime/channels', { params: { query: { search } }, ...cancel(options) })),
  realtimeChannel: (query: QueryOf<'realtimeChannel'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/realtime/channel', { params: { query }, ...cancel(options) })),
  joinRealtimeChannel: (body: BodyOf<'joinRealtimeChannel'>) =>
    bodyOf(client.POST('/console/api/realtime/tickets', { body })),
  realtimePolicies: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/realtime/policies', cancel(options)))).policies,
  realtimePolicyTemplates: async (topic: string, options?: Cancel) =>
    (
      await bodyOf(
        client.GET('/console/api/realtime/policies/templates', { params: { query: { topic } }, ...cancel(options) }),
      )
    ).templates,
  applyRealtimePolicy: (body: BodyOf<'applyRealtimePolicy'>) =>
    bodyOf(client.POST('/console/api/realtime/policies', { body })),
  dropRealtimePolicy: (name: string) =>
    bodyOf(client.DELETE('/console/api/realtime/policies/{name}', { params: { path: { name } } })),
}
