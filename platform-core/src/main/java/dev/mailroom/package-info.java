/** Types that every feature uses: scope, refusals, pages and fair queues. */
@NullMarked
package dev.mailroom;

import org.jspecify.annotations.NullMarked;
