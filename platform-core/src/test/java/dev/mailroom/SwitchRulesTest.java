package dev.mailroom;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class SwitchRulesTest {

	@Test
	void aDefaultIsFoundInASwitchOverASealedType() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> SwitchRules.switchesOverSealedTypesHaveNoDefault(classes(WithDefault.class)))
			.withMessageContaining("WithDefault.describe");
	}

	@Test
	void aSwitchThatNamesEveryTypeIsAccepted() {
		assertThatNoException()
			.isThrownBy(() -> SwitchRules.switchesOverSealedTypesHaveNoDefault(classes(WithoutDefault.class)));
	}

	private static JavaClasses classes(Class<?> type) {
		return new ClassFileImporter().importClasses(type);
	}

	sealed interface Shape {

		record Circle(int radius) implements Shape {
		}

		record Square(int side) implements Shape {
		}

	}

	static final class WithDefault {

		private WithDefault() {
		}

		static String describe(Shape shape) {
			return switch (shape) {
				case Shape.Circle _ -> "circle";
				default -> "other";
			};
		}

	}

	static final class WithoutDefault {

		private WithoutDefault() {
		}

		static String describe(Shape shape) {
			return switch (shape) {
				case Shape.Circle _ -> "circle";
				case Shape.Square _ -> "square";
			};
		}

	}

}
