import { type BodyOf, bodyOf, type Cancel, cancel, client } from '../client.ts'

/** What browsers send, and the changes of it. */
export const captureSettingsApi = {
  captureSettings: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/capture-settings', cancel(options)))).settings,
  changeCaptureSetting: (name: string, body: BodyOf<'changeCaptureSetting'>) =>
    bodyOf(client.PUT('/console/api/capture-settings/{name}', { params: { path: { name } }, body })),
}
