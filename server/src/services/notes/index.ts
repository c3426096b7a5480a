import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { ServiceTables } from '../../ground/model/service-tables.ts'
import { createNotes, type NotesDeps } from './notes.ts'
import { noteRoutes } from './routes.ts'

export { notesError } from './errors.ts'
export { notesPersonStore } from './person-store.ts'

/** Schema `clew_notes`. */
export const notesTables = {
  name: 'notes',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables

/** Notes at moments of sessions, in the console. */
export const notesService = ({ actions, ...deps }: NotesDeps & { readonly actions: OperatorActions }) => ({
  console: [noteRoutes(createNotes(deps), actions)],
})
