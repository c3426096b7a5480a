import { api } from '../../lib/api/api.ts'
import { saveFile } from '../../lib/save-file.ts'

/** Gives a whole session to the browser as a file that Playwright runs. */
export async function saveSessionTest(sessionId: string): Promise<void> {
  // Seldom wanted, and not worth a wait of every session.
  const [detail, { renderPlaywrightTest }] = await Promise.all([
    api.session(sessionId, { from: 0 }),
    import('./playwright-test.ts'),
  ])
  saveFile(`session-${sessionId.slice(-12)}.spec.js`, renderPlaywrightTest(detail), 'text/javascript')
}
