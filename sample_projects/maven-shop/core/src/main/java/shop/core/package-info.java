/**
 * Building blocks that every other module of the shop uses: money, identifiers, repositories and errors.
 *
 * <p>Nothing in this package knows about products, orders or the web.
 */
package shop.core;
