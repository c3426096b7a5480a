import { bodyOf, type Cancel, cancel, client } from '../client.ts'

/** What browsers record, and the changes of it. */
export const recordingSettingsApi = {
  recordingSettings: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/recording-settings', cancel(options)))).settings,
  /** @param value as the environment would have it; null for the default */
  changeRecordingSetting: (name: string, value: string | null) =>
    bodyOf(client.PUT('/console/api/recording-settings/{name}', { params: { path: { name } }, body: { value } })),
}
