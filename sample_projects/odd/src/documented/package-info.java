/**
 * A package with a description and an annotation.
 *
 * @see documented.Stable
 */
@Stable(since = "1.0")
@Deprecated
package documented;
