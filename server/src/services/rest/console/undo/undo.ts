import { nameKey } from '../../cache/schema-cache.ts'
import type { RowChanges } from '../changes/save.ts'
import type { PastChange, UndoPreview } from '../schemas.ts'
import type { Tables } from '../table-catalogue.ts'
import { planUndo } from './plan-undo.ts'

/** Plans what takes changes back, and tries it out without keeping anything. */
export type PreviewUndo = (past: readonly PastChange[]) => Promise<UndoPreview>

/** @param rowChanges tries the changes out, and makes them when they are chosen */
export function createPreviewUndo(tables: Tables, rowChanges: Pick<RowChanges, 'preview' | 'tryOut'>): PreviewUndo {
  return async (past) => {
    const known = new Map((await tables.all()).map((table) => [nameKey(table), table]))
    const plan = planUndo(past, known)
    const changes = [...plan.changes]
    const problems = [...plan.problems]
    if (changes.length === 0) return { changes, problems, statements: [], conflicts: [], refusal: null }
    const statements = [...(await rowChanges.preview(changes))]
    const { conflicts, refusal } = await rowChanges.tryOut(changes)
    return { changes, problems, statements, conflicts: [...conflicts], refusal }
  }
}
