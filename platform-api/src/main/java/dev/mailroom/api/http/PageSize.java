package dev.mailroom.api.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the {@link dev.mailroom.Page.Request} of a list, with the limits of its pages.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface PageSize {

	/** The number of items without a {@code limit} in the request. */
	int defaultLimit();

	/** The maximum {@code limit}. */
	int maxLimit();

	/** Whether the list accepts a {@code cursor}. */
	boolean cursor() default false;

}
