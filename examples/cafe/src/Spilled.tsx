import { Component, type ReactNode } from 'react'

/** Stands in place of a page that could not be drawn. `onCaughtError` in main.tsx has the error. */
export class Spilled extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <main>
        <p className="empty" role="alert">
          Something was spilled, and we know of it. <a href="/">Back to the menu</a>
        </p>
      </main>
    )
  }
}
