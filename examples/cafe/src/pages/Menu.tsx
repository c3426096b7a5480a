import posthog from 'posthog-js'
import { useEffect, useState } from 'react'
import { BasketNotice } from '../BasketNotice'
import { type Category, euros, failureOf, type Line, type Product, supabase } from '../clients'
import { Photo } from '../Photo'

export function Menu({ lines, onAdd }: { lines: Line[]; onAdd: (product: Product) => void }) {
  const [categories, setCategories] = useState<Category[]>()
  const [problem, setProblem] = useState('')
  const [added, setAdded] = useState('')

  useEffect(() => {
    supabase
      .from('categories')
      .select('id, name, products(id, name, description, price_cents, stock, hue, photo)')
      .order('position')
      .order('name', { referencedTable: 'products' })
      .then(({ data, error }) => {
        if (!error) return setCategories(data)
        posthog.captureException(failureOf('menu', error))
        setProblem('The menu did not come. Is there a network?')
      })
  }, [])

  function add(product: Product) {
    onAdd(product)
    setAdded(product.name)
  }

  if (problem)
    return (
      <p className="problem" role="alert">
        {problem}
      </p>
    )
  const ordered = (product: Product) => lines.find((line) => line.product.id === product.id)?.quantity ?? 0

  return (
    <>
      <h1>What can we bring you?</h1>
      <p className="sub">Pick-up at the counter, about 8 minutes</p>
      {categories?.map((category) => (
        <section key={category.id}>
          <h2>{category.name}</h2>
          <ul className="menu">
            {category.products.map((product) => (
              <li key={product.id}>
                <Photo product={product} />
                <div>
                  {product.name}
                  <small>{product.description}</small>
                </div>
                <span className="price">{euros(product.price_cents)}</span>
                <button
                  type="button"
                  aria-label={`Add ${product.name}`}
                  data-count={ordered(product) || undefined}
                  disabled={product.stock <= ordered(product)}
                  onClick={() => add(product)}
                >
                  {product.stock <= ordered(product) ? 'Sold out' : 'Add'}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <BasketNotice lines={lines} added={added} />
    </>
  )
}
