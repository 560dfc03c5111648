/** Support of tests that send mail. */
@NullMarked
package dev.mailroom.spring.test;

import org.jspecify.annotations.NullMarked;
