/** Auto-configuration of Mailroom for Spring Boot. */
@NullMarked
package dev.mailroom.spring;

import org.jspecify.annotations.NullMarked;
