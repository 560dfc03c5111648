package dev.mailroom;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Range of a setting that is a number, a duration or a size, or of each element of a list
 * of them. The start of an app fails with {@link WrongSetting} if the value is outside.
 * The bounds are written as values are written; a duration or a size has its unit.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.PARAMETER, ElementType.FIELD })
public @interface Allowed {

	/** Smallest value. */
	String from();

	/** Largest value. */
	String to();

	/** A value outside the range that is allowed as well; empty for none. */
	String or() default "";

}
