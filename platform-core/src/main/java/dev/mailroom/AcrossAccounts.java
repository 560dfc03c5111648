package dev.mailroom;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a store or a method whose SQL is not limited to one account, with the reason. A
 * test requires it of every store method that takes neither a {@link Scope} nor a record
 * with an {@code accountId}.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ ElementType.METHOD, ElementType.TYPE })
public @interface AcrossAccounts {

	/** The reason why the SQL spans accounts. */
	String value();

}
