package dev.mailroom.api.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** How many items a page of this list has. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface PageSize {

	/** Where the request says nothing. */
	int usual();

	/** At the most. */
	int most();

	/**
	 * Whether the list can be read on from where a page ended, by {@code cursor}.
	 */
	boolean cursor() default false;

}
