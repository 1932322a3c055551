/**
 * Escape hatches. They are symbols so that no configuration read from JSON can switch them on, and so
 * that a search finds every use.
 */

/**
 * Makes {@link Auth} return the answer before it becomes a `Response`, and throw its errors. For authors
 * of framework wrappers: `{ raw }` in the configuration.
 */
export const raw: unique symbol = Symbol('lib-auth.raw')

/**
 * Switches the CSRF check off. For authors of wrappers whose framework checks already: `{ skipCSRFCheck }`
 * in the configuration.
 */
export const skipCSRFCheck: unique symbol = Symbol('lib-auth.skipCSRFCheck')

/** A `fetch` for the requests to one provider: `{ [customFetch]: myFetch }` in its options. */
export const customFetch: unique symbol = Symbol('lib-auth.customFetch')

/**
 * Lets one provider be reached over plain http: `{ [insecureHttp]: true }` in its options. Whoever can
 * listen on the way can then sign in as anybody.
 */
export const insecureHttp: unique symbol = Symbol('lib-auth.insecureHttp')
