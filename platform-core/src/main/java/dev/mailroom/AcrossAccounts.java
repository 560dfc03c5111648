package dev.mailroom;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a store's method that reads or writes without naming one account, and says why it
 * may. A test refuses any other such method.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ ElementType.METHOD, ElementType.TYPE })
public @interface AcrossAccounts {

	/** Why no account is named here. */
	String value();

}
