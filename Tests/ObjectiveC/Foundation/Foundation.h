// As much of Apple's Foundation as the headers and the apps in Objective-C use, for checking them where there is none.
#pragma once
#pragma clang system_header

#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define NS_ENUM(type, name) enum name : type name; enum name : type
#define nil ((id)0)
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef double NSTimeInterval;
typedef signed char BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
@protocol NSObject
- (BOOL)isKindOfClass:(Class)type;
@end
@protocol NSCopying
@end
__attribute__((objc_root_class)) @interface NSObject <NSObject>
+ (instancetype)alloc;
+ (Class)class;
- (instancetype)init;
- (id)copy;
@end
@interface NSString : NSObject <NSCopying>
@end
@interface NSConstantString : NSString
@end
@interface NSNumber : NSObject
+ (NSNumber *)numberWithBool:(BOOL)value;
+ (NSNumber *)numberWithInt:(int)value;
@end
@interface NSArray<__covariant ObjectType> : NSObject <NSCopying>
+ (instancetype)arrayWithObjects:(const ObjectType _Nonnull[])objects count:(NSUInteger)count;
@end
@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSCopying>
+ (instancetype)dictionaryWithObjects:(const ObjectType _Nonnull[])objects
                              forKeys:(const KeyType<NSCopying> _Nonnull[])keys
                                count:(NSUInteger)count;
@end
@interface NSData : NSObject
@end
@interface NSError : NSObject
@end
@interface NSURL : NSObject
@end
@interface NSURLRequest : NSObject
@end
@interface NSNotification : NSObject
@end
@interface NSUserActivity : NSObject
@end
