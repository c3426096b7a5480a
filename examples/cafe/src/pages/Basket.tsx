import type { User } from '@supabase/supabase-js'
import posthog from 'posthog-js'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { euros, failureOf, type Line, type Product, supabase } from '../clients'
import { Photo } from '../Photo'

interface Props {
  user: User | null
  lines: Line[]
  onAdd: (product: Product, change: number) => void
  onOrdered: () => void
}

/** What `place_order` answers: the row of the order. */
interface PlacedOrder {
  id: number
  total_cents: number
}

/** PostgreSQL's code for a row that breaks a rule of its table, as `stock >= 0`. */
const checkViolation = '23514'

export function Basket({ user, lines, onAdd, onOrdered }: Props) {
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const navigate = useNavigate()
  const total = lines.reduce((sum, { product, quantity }) => sum + product.price_cents * quantity, 0)

  async function placeOrder() {
    setBusy(true)
    setProblem('')
    const items = lines.map(({ product, quantity }) => ({ product_id: product.id, quantity }))
    const { data: order, error } = await supabase.rpc('place_order', { lines: items }).single<PlacedOrder>()
    if (error) {
      posthog.captureException(failureOf('place_order', error))
      setBusy(false)
      return setProblem(
        error.code === checkViolation
          ? 'The last one was just sold, or a price has changed: the menu says what is left.'
          : error.message,
      )
    }
    // An order stands without its receipt; My orders shows those that have one.
    const receipt = await supabase.functions.invoke('receipt', { body: { order_id: order.id } })
    if (receipt.error) posthog.captureException(receipt.error, { order_id: order.id })
    posthog.capture('order placed', { order_id: order.id, total_cents: order.total_cents })
    onOrdered()
    navigate('/orders')
  }

  if (lines.length === 0) {
    return (
      <p className="empty">
        Your basket is empty. <Link to="/">See the menu</Link>
      </p>
    )
  }
  return (
    <>
      <h1>Your basket</h1>
      <p className="sub">Pick-up at the counter, about 8 minutes</p>
      <ul className="menu">
        {lines.map(({ product, quantity }) => (
          <li key={product.id}>
            <Photo product={product} />
            <div>
              {product.name}
              <small>{product.description}</small>
            </div>
            <span className="quantity">
              <button type="button" aria-label={`One ${product.name} less`} onClick={() => onAdd(product, -1)}>
                −
              </button>
              {quantity}
              <button
                type="button"
                aria-label={`One ${product.name} more`}
                disabled={quantity >= product.stock}
                onClick={() => onAdd(product, 1)}
              >
                +
              </button>
            </span>
            <span className="price">{euros(product.price_cents * quantity)}</span>
          </li>
        ))}
      </ul>
      <p className="total">
        <span>Total</span>
        <span>{euros(total)}</span>
      </p>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <p className="actions">
        {user ? (
          <button type="button" className="primary" disabled={busy} onClick={placeOrder}>
            Place order
          </button>
        ) : (
          <Link className="primary" to="/sign-in?then=/basket">
            Sign in to order
          </Link>
        )}
      </p>
    </>
  )
}
