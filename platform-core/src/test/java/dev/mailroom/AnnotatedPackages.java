package dev.mailroom;

import java.util.stream.Stream;

import org.springframework.modulith.core.ApplicationModuleDetectionStrategy;
import org.springframework.modulith.core.JavaPackage;

/**
 * Modules of Spring Modulith: the packages with {@code @ApplicationModule}, at any depth.
 * Found by its name in {@code META-INF/spring.factories}.
 */
final class AnnotatedPackages implements ApplicationModuleDetectionStrategy {

	@Override
	public Stream<JavaPackage> getModuleBasePackages(JavaPackage basePackage) {
		return ApplicationModuleDetectionStrategy.explicitlyAnnotated().getModuleBasePackages(basePackage);
	}

}
