export interface Note {
  id: number
  text: string
}

/** What a page is made from, on the server and again in the browser. */
export interface PageProps {
  path: '/' | '/notes'
  backend: { url: string; publishableKey: string }
  /** Who is signed in. */
  email: string | null
  notes: Note[]
  /** When the server made this page. */
  renderedAt: string
}
