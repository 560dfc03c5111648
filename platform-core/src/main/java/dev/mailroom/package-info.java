/** Types that every feature uses: scope, refusals, pages and transactions. */
@NullMarked
package dev.mailroom;

import org.jspecify.annotations.NullMarked;
