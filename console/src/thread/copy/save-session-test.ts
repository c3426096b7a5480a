import { api } from '../../lib/api/api.ts'
import { saveFile } from '../../lib/save-file.ts'
import { renderPlaywrightTest } from './playwright-test.ts'

/** Gives a whole session to the browser as a file that Playwright runs. */
export async function saveSessionTest(sessionId: string): Promise<void> {
  const detail = await api.session(sessionId, { from: 0 })
  saveFile(`session-${sessionId.slice(-12)}.spec.js`, renderPlaywrightTest(detail), 'text/javascript')
}
