import Type from 'typebox'
import { setting } from '../../../ground/settings/setting.ts'

/** What an answer about heat maps holds at most. */
export const heatmapSettings = {
  heatmapCells: setting(Type.Integer({ minimum: 100, maximum: 200_000 }), {
    limit: true,
    default: 10_000,
    description: 'Cells of a heat map, those with the most first; further ones are left out.',
  }),
  heatmapPages: setting(Type.Integer({ minimum: 10, maximum: 10_000 }), {
    limit: true,
    default: 500,
    description: 'Pages that the list of heat maps has, those with the most clicks and views first.',
  }),
  heatmapElements: setting(Type.Integer({ minimum: 5, maximum: 1000 }), {
    limit: true,
    default: 50,
    description: 'Elements that are listed beside a heat map, the most clicked first.',
  }),
  heatmapSessions: setting(Type.Integer({ minimum: 5, maximum: 1000 }), {
    limit: true,
    default: 50,
    description: 'Sessions that are listed of an area of a heat map, the newest first.',
  }),
} as const
