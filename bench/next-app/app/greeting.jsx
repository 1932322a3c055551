/** What all three pages show. */
export function Greeting({ name }) {
  return <p>{name ? `Hello, ${name}` : 'Hello, stranger'}</p>
}
