import type { Answer, Schemas } from './answer.ts'

/** A table or view as the catalogue knows it; `history`: its changes are kept. */
export type Table = Answer<'listTables'>['tables'][number]

/** A column as the catalogue knows it. */
export type Column = Table['columns'][number]

/** A page of a table's rows. */
export type RowPage = Answer<'listRows'>

/** One row, values in PostgreSQL's text form. */
export type Row = RowPage['rows'][number]

/** A change of one row that an operator asks for. */
export type RowChange = Schemas['RowChange']

/** A row before and after a change. */
export type SavedChange = Schemas['SavedChange']

/** A change of the past that is to be taken back. */
export type PastChange = Schemas['PastChange']

/** What would take changes back, and what stands against it. */
export type UndoPreview = Answer<'previewUndo'>

/** What saving changes of rows came to. */
export type SaveOutcome = Answer<'saveRowChanges'>

/** A row that is no longer as a change expected it. */
export type RowConflict = Schemas['RowConflict']

/** Rows that name others which are to be deleted. */
export type Dependents = Answer<'rowDependents'>

/** What an import of rows came to. */
export type ImportOutcome = Answer<'importRows'>

/** Rows that a row is tied to by foreign keys. */
export type Related = Answer<'relatedRows'>
